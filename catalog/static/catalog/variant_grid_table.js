// The table of a product's variants: arrow keys move, a paste fills cells from a spreadsheet, Ctrl+D fills down.
// grid_faults.js names the cells, and knows what is wrong with them.
window.drawVariants = (state, redraw, say) => {
    const { make, button, named } = window.elements;
    const { cellId, faultsOf, nameOf } = window.gridFaults;
    const columns = state.page.columns;
    const inputs = []; // by row, then by column
    let anchor = null; // where a selection of cells in one column began: row, column

    const isFree = (row, at) => columns[at].is_editable && !row.isDeleted && !(row.is_bundle && columns[at].key.startsWith("stock."));
    const set = (row, at, text) => {
        if (!inputs[row] || !inputs[row][at] || inputs[row][at].readOnly) return 0;
        inputs[row][at].value = state.rows[row].cells[at] = text.trim();
        return 1;
    };
    const chosen = () => table.querySelectorAll(".is-chosen");
    const choose = (row, at) => {
        chosen().forEach((input) => input.classList.remove("is-chosen"));
        if (anchor?.at !== at) return;
        const [first, last] = [Math.min(anchor.row, row), Math.max(anchor.row, row)];
        for (let index = first; index <= last; index += 1) inputs[index][at].classList.add("is-chosen");
    };
    const focus = (row, at) => {
        const input = inputs[row]?.[at];
        input?.focus();
        input?.select();
        return input;
    };

    // Copy the first selected cell, or the focused one, to those selected below, or to all below.
    const fillDown = (row, at) => {
        const rows = state.rows.map((_, index) => index).filter((index) => inputs[index][at].classList.contains("is-chosen"));
        const from = rows.length > 1 ? rows[0] : row;
        const to = rows.length > 1 ? rows.at(-1) : state.rows.length - 1;
        let filled = 0;
        for (let index = from + 1; index <= to; index += 1) filled += set(index, at, state.rows[from].cells[at]);
        say(`${columns[at].label}: ${filled} cells filled.`);
    };

    // Rows that are to be deleted take nothing.
    const paste = (text, row, at) => {
        const lines = text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
        const targets = state.rows.map((_, index) => index).filter((index) => index >= row && !state.rows[index].isDeleted);
        let filled = 0;
        const shown = columns.map((_, place) => place).filter((place) => place >= at && !state.hidden.has(columns[place].key));
        lines.slice(0, targets.length).forEach((line, index) => {
            line.split("\t").forEach((cell, offset) => (filled += set(targets[index], shown[offset], cell)));
        });
        const rest = lines.length - targets.length;
        say(`${filled} cells pasted.${rest > 0 ? ` ${rest} rows did not fit.` : ""}`);
    };

    const onKey = (event, row, at) => {
        if (event.key.toLowerCase() === "d" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            fillDown(row, at);
            return;
        }
        const step = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const next = row + step;
        if (!inputs[next]) return;
        if (event.shiftKey && event.key !== "Enter") {
            anchor = anchor?.at === at ? anchor : { row, at };
            focus(next, at);
            choose(next, at);
        } else {
            focus(next, at);
        }
    };

    const cellOf = (row, index, at) => {
        const column = columns[at];
        const input = make("input", { value: row.cells[at], autocomplete: "off", readOnly: !isFree(row, at) });
        if (column.is_number) input.inputMode = "decimal";
        named(input, `${column.label}, ${nameOf(row, index)}`);
        input.addEventListener("input", () => (row.cells[at] = input.value));
        input.addEventListener("keydown", (event) => onKey(event, index, at));
        input.addEventListener("mousedown", (event) => {
            if (event.shiftKey && anchor?.at === at) {
                event.preventDefault();
                choose(index, at);
            } else {
                anchor = { row: index, at };
                choose(index, at);
            }
        });
        input.addEventListener("focus", () => {
            fill.disabled = false;
            last = [index, at];
        });
        input.addEventListener("paste", (event) => {
            const text = event.clipboardData.getData("text");
            if (!/[\n\t]/.test(text)) return;
            event.preventDefault();
            paste(text, index, at);
        });
        // What nobody may edit here is text, which wraps where an input would cut it off.
        const shown = column.is_editable ? (inputs[index][at] = input) : make("div", { className: "text", textContent: row.cells[at] });
        const cell = make("td", { className: column.is_number ? "number" : "" }, shown);
        cell.dataset.label = column.label;
        const fault = faultsOf(row, columns).get(at);
        if (fault) {
            shown.id = cellId(row, at);
            const id = `${shown.id}-fault`;
            if (column.is_editable) shown.setAttribute("aria-invalid", "true");
            else shown.tabIndex = -1; // the link to the error leads here
            shown.setAttribute("aria-describedby", id);
            cell.append(make("div", { className: "fault", id, textContent: fault }));
        }
        if (row.is_bundle && column.key.startsWith("stock.")) input.placeholder = "bundle";
        return cell;
    };

    const rowOf = (row, index) => {
        inputs[index] = [];
        const name = nameOf(row, index);
        const act = () => {
            if (row.id) row.isDeleted = !row.isDeleted;
            else state.rows.splice(index, 1);
            redraw();
        };
        const label = !row.id ? "Leave out" : row.isDeleted ? "Keep" : "Delete";
        const line = make("tr", { className: row.isDeleted ? "is-deleted" : "" }, ...columns.map((_, at) => cellOf(row, index, at)));
        const last = make("td", {}, make("div", { className: "bar" }));
        if (!state.page.is_fixed) last.firstChild.append(named(button(label, act), `${label} ${name}`));
        last.dataset.label = "";
        if (row.url) last.firstChild.append(named(make("a", { href: row.url, textContent: "More" }), `More of ${name}`));
        line.append(last);
        return line;
    };

    let last = null;
    const fill = button("Fill down", () => last && (fillDown(...last), focus(...last)), { title: "Ctrl+D", disabled: true });
    const table = make("table");
    const heads = [...columns.map((column) => make("th", { textContent: column.label, scope: "col" })), make("td")];
    table.append(make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...state.rows.map(rowOf)));
    named(table, "Variants");
    const bar = make("div", { className: "bar" }, fill);
    const missing = state.missing();
    if (missing.length) {
        bar.append(
            button(`Add ${missing.length} missing combination${missing.length > 1 ? "s" : ""}`, () => {
                say(state.add(missing));
                redraw();
            })
        );
    }
    const scroll = named(make("div", { className: "scroll", tabIndex: 0 }, table), "Table of variants");
    scroll.setAttribute("role", "region");
    const hasFault = (at) => state.rows.some((row) => faultsOf(row, columns).has(at));
    bar.append(window.gridColumns(state, table, scroll, hasFault));
    bar.append(make("span", { className: "quiet", textContent: "Paste cells from a spreadsheet; Ctrl+D fills down." }));
    return make("div", {}, bar, scroll);
};
