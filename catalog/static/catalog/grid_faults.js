// What is wrong with the cells of a grid: marked in its rows, and listed above the form with a link to each cell.
window.gridFaults = (() => {
    const { make } = window.elements;
    const numbers = new WeakMap(); // of rows with faults; a row keeps its own when others are removed
    let count = 0;

    const nameOf = (row, index) => row.values.join(" / ") || row.cells[0] || `variant ${index + 1}`;

    const cellId = (row, at) => {
        if (!numbers.has(row)) numbers.set(row, (count += 1));
        return `variant-grid-cell-${numbers.get(row)}-${at}`;
    };

    // The messages of a row by the place of their column; what is about the whole row is in its first cell.
    const faultsOf = (row, columns) => {
        const faults = new Map();
        for (const [key, message] of Object.entries(row.faults ?? {})) {
            const at = Math.max(0, columns.findIndex((column) => column.key === key));
            faults.set(at, faults.has(at) ? `${faults.get(at)} ${message}` : message);
        }
        return faults;
    };

    // sentRows: the rows in the order in which they were submitted; undefined for those that are gone.
    const mark = (page, sentRows) => {
        for (const fault of page.faults) {
            const row = sentRows[fault.row];
            if (!row) continue;
            (row.faults ??= {})[fault.column] = fault.message;
            if ("current" in fault) row.shown[page.columns.findIndex((column) => column.key === fault.column)] = fault.current;
        }
        page.lost = page.faults.filter((fault) => fault.row !== null && !sentRows[fault.row]).map((fault) => fault.message);
    };

    // Below the form's own error of the grid; without one, at the end.
    const list = ({ page, rows }) => {
        const lines = (page.lost ?? []).map((message) => make("li", {}, message));
        rows.forEach((row, index) => {
            for (const [at, message] of [...faultsOf(row, page.columns)].sort(([one], [other]) => one - other)) {
                const name = `${page.columns[at].label}, ${nameOf(row, index)}`;
                const link = make("a", { className: "underline", href: `#${cellId(row, at)}`, textContent: name });
                lines.push(make("li", {}, link, `: ${message}`));
            }
        });
        const errors = document.querySelector(".error-links");
        if (!lines.length || !errors) return;
        const own = document.querySelector(".variant-grid").id;
        const place = errors.querySelector(`a[href="#${own}"]`)?.closest("li") ?? errors.querySelector(":scope > ul > li:last-child");
        place.append(make("ul", { className: "grid-faults" }, ...lines));
    };

    return { cellId, faultsOf, nameOf, mark, list };
})();
