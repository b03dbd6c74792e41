// The grid of the variants of several products: variant_grid_table.js draws it, and the changes are submitted as JSON.
document.addEventListener("DOMContentLoaded", () => {
    const place = document.querySelector(".variant-grid");
    const page = JSON.parse(document.getElementById("bulk-grid-page").textContent);
    const { make } = window.elements;
    const names = page.columns.map((column) => column.key);
    const state = { page, missing: () => [], rows: page.variants.map((one) => ({ ...one, shown: [...one.cells] })) };

    // After a refusal, show the submitted values again and mark the faults.
    const sent = page.sent ? JSON.parse(page.sent).variants : [];
    const sentRows = sent.map((given) => {
        const row = state.rows.find((one) => one.id === given.id);
        for (const [name, [shown, entered]] of Object.entries(row ? given.cells : {})) {
            const at = names.indexOf(name);
            if (at >= 0) [row.shown[at], row.cells[at]] = [shown, entered];
        }
        return row;
    });
    window.gridFaults.mark(page, sentRows);

    const changes = (row) =>
        Object.fromEntries(
            names
                .map((name, at) => [name, [row.shown[at], row.cells[at]]])
                .filter(([, [shown, entered]]) => shown.trim() !== entered.trim())
        );
    const text = () => {
        const variants = state.rows.map((row) => ({ id: row.id, values: null, cells: changes(row) }));
        return JSON.stringify({ variants: variants.filter((one) => Object.keys(one.cells).length), deleted: [] });
    };

    const status = make("p", { className: "quiet" });
    status.setAttribute("role", "status");
    place.append(window.drawVariants(state, () => {}, (message) => (status.textContent = message)), status);
    window.gridFaults.list(state);
    place.closest("form").addEventListener("formdata", (event) => event.formData.set("grid", text()));
});
