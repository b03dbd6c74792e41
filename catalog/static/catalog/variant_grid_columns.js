// Which columns of a table of variants are shown: those that one has chosen in this browser, else those that fit.
window.gridColumns = (() => {
    const KEY = "commerce.variantColumns"; // by the column's key: whether to show it
    const { make } = window.elements;

    const choices = () => {
        try {
            return JSON.parse(localStorage.getItem(KEY)) ?? {};
        } catch {
            return {}; // the browser stores nothing
        }
    };
    const choose = (key, is) => {
        try {
            localStorage.setItem(KEY, JSON.stringify({ ...choices(), [key]: is }));
        } catch {
            // as above
        }
    };

    // From the first to be left out: measures and codes, then what stands far to the right.
    const farFirst = (columns) => {
        const keys = columns.map((column) => column.key);
        const kept = ["title", "sku", keys.find((key) => key.startsWith("prices.")), keys.find((key) => key.startsWith("stock."))];
        const first = ["weight", "barcode"].filter((key) => keys.includes(key));
        return [...first, ...keys.filter((key) => !kept.includes(key) && !first.includes(key)).reverse()];
    };

    // The chooser for the table in `scroll`. A column with a fault is always shown.
    return (state, table, scroll, hasFault) => {
        const columns = state.page.columns;
        const boxes = new Map();
        const summary = make("summary");
        const apply = () => {
            for (const row of table.rows) {
                columns.forEach(({ key }, at) => (row.cells[at].hidden = state.hidden.has(key)));
            }
            for (const [key, box] of boxes) box.checked = !state.hidden.has(key);
            summary.textContent = `Columns: ${columns.length - state.hidden.size} of ${columns.length}`;
        };
        const fit = () => {
            const chosen = choices();
            const free = columns.map((column) => column.key).filter((key, at) => key !== "title" && !hasFault(at));
            state.hidden = new Set(free.filter((key) => chosen[key] === false));
            apply();
            let over = scroll.scrollWidth - scroll.clientWidth;
            for (const key of farFirst(columns)) {
                if (over <= 0) break;
                if (!free.includes(key) || key in chosen || state.hidden.has(key)) continue;
                over -= table.rows[0].cells[columns.findIndex((column) => column.key === key)].offsetWidth;
                state.hidden.add(key);
            }
            apply();
        };
        const lines = columns.slice(1).map(({ key, label }) => {
            const box = make("input", { type: "checkbox" });
            box.addEventListener("change", () => {
                choose(key, box.checked);
                state.hidden[box.checked ? "delete" : "add"](key);
                apply();
            });
            boxes.set(key, box);
            return make("label", {}, box, label);
        });
        queueMicrotask(() => (state.hidden ? apply() : fit())); // once the table is on the page
        return make("details", { className: "columns" }, summary, make("div", { className: "bar" }, ...lines));
    };
})();
