// The options of a product as chips. variant_grid_table.js draws the variants below them.
//
// The page's JSON has the stored options and variants, and after a refusal what was submitted. What differs from the
// stored values is submitted as one JSON text, each cell with the text that was shown before.
(() => {
    const { make, button, named } = window.elements;
    const product = (lists) => lists.reduce((rows, list) => rows.flatMap((row) => list.map((one) => [...row, one])), [[]]);
    const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

    // The state: options, and rows of variants. Each row has `shown`, the texts before, and `cells`, the texts now.
    class State {
        constructor(page) {
            this.page = page;
            this.stored = page.options.map(({ id, title, values }) => ({ id, title, values: [...values] }));
            this.readOptions = this.stored;
            this.options = this.stored.map((option) => ({ ...option, values: [...option.values] }));
            this.rows = page.variants.map((variant) => ({ ...variant, shown: [...variant.cells], isDeleted: false }));
            if (page.sent) this.restore(JSON.parse(page.sent));
            if (!this.rows.length && !page.sent && !this.options.length) this.addRow([]);
        }

        get names() {
            return this.page.columns.map((column) => column.key);
        }

        // Repeat what was submitted: every text as it was entered, and as it was shown before.
        restore(sent) {
            if (sent.options) {
                this.options = sent.options;
                this.readOptions = this.page.faults.some((one) => one.column === "options") ? this.stored : sent.read_options;
            }
            const sentRows = sent.variants.map((given) => {
                const row = given.id ? this.rows.find((one) => one.id === given.id) : this.addRow(given.values ?? []);
                for (const [name, [shown, entered]] of Object.entries(row ? given.cells : {})) {
                    const place = this.names.indexOf(name);
                    if (place >= 0) [row.shown[place], row.cells[place]] = [shown, entered];
                }
                if (row && given.values) row.values = given.values;
                return row;
            });
            for (const row of this.rows) row.isDeleted = sent.deleted.includes(row.id);
            window.gridFaults.mark(this.page, sentRows);
        }

        addRow(values) {
            const cells = this.names.map((name) => (name === "title" ? values.join(" / ") : ""));
            const row = { id: null, values, cells, shown: cells.map(() => ""), isDeleted: false };
            this.rows.push(row);
            return row;
        }

        // The combinations of values that no variant has; only those with `value` of the option at `place`, if given.
        missing(place, value) {
            const lists = this.options.map((option) => option.values).filter((values) => values.length);
            const offered = lists.length ? product(lists.map((list, at) => (at === place ? [value] : list))) : [];
            const taken = new Set(this.rows.map((row) => JSON.stringify(row.values)));
            return offered.filter((values) => !taken.has(JSON.stringify(values)));
        }

        add(combinations) {
            const space = this.page.most_variants - this.rows.filter((row) => !row.isDeleted).length;
            for (const values of combinations.slice(0, Math.max(space, 0))) this.addRow(values);
            return combinations.length > space ? `A product can have at most ${this.page.most_variants} variants.` : "";
        }

        // In the order of the options and their values, as a spreadsheet has them.
        sort() {
            const lists = this.options.map((option) => option.values).filter((values) => values.length);
            const places = (row) => row.values.map((value, at) => lists[at].indexOf(value));
            this.rows.sort((one, other) => {
                const theirs = places(other);
                return places(one).map((place, at) => place - theirs[at]).find(Boolean) ?? 0;
            });
        }

        // A title that is made of the values follows them.
        setValues(row, values) {
            const title = this.names.indexOf("title");
            const isMade = row.cells[title] === (row.values ?? []).join(" / ") || !row.cells[title];
            row.values = values;
            if (isMade) row.cells[title] = values.join(" / ");
        }

        addValue(place, value) {
            const option = this.options[place];
            if (option.values.includes(value)) return `'${value}' is there already.`;
            option.values.push(value);
            if (option.values.length > 1) {
                const own = this.placeOf(option);
                for (const row of this.rows) row.isDeleted &&= row.values[own] !== value;
                const message = this.add(this.missing(place, value));
                if (this.rows.every((row) => !row.id)) this.sort();
                return message;
            }
            // The first value of a new option is every variant's. A single row without values becomes the first
            // variant.
            const at = this.placeOf(option);
            for (const row of this.rows) this.setValues(row, [...row.values.slice(0, at), value, ...row.values.slice(at)]);
            return this.rows.length ? "" : this.add(this.missing());
        }

        removeValue(place, value) {
            const option = this.options[place];
            const at = this.placeOf(option);
            if (option.values.length === 1) {
                this.forget(at);
            } else {
                this.remove((row) => row.values[at] === value);
            }
            option.values = option.values.filter((one) => one !== value);
        }

        removeOption(place) {
            const at = this.placeOf(this.options[place]);
            if (at >= 0) this.forget(at);
            this.options.splice(place, 1);
        }

        // Which of a row's values is the option's: options without values have none.
        placeOf(option) {
            return this.options.filter((one) => one.values.length).indexOf(option);
        }

        // Variants lose that value; of those that would then be the same, the first stays.
        forget(at) {
            const seen = new Set();
            for (const row of this.rows) this.setValues(row, row.values.filter((_, index) => index !== at));
            this.remove((row) => {
                const key = JSON.stringify(row.values);
                return !row.isDeleted && (seen.has(key) || !seen.add(key));
            });
        }

        remove(isGone) {
            for (const row of this.rows.filter(isGone)) row.isDeleted = true;
            this.rows = this.rows.filter((row) => row.id || !row.isDeleted);
        }

        // What to submit; empty if nothing differs from what is stored.
        get text() {
            const options = this.options.filter((option) => option.title.trim() || option.values.length);
            const isNew = !same(options, this.readOptions);
            const rows = this.rows.filter((row) => !row.isDeleted && (row.id || row.values.length || row.cells.some(Boolean)));
            const variants = rows.map((row) => ({
                id: row.id,
                values: isNew || !row.id ? row.values : null,
                cells: Object.fromEntries(
                    this.names
                        .map((name, at) => [name, [row.shown[at], row.cells[at]]])
                        .filter(([, [shown, entered]]) => shown.trim() !== entered.trim())
                ),
            }));
            const changed = variants.filter((one) => !one.id || one.values || Object.keys(one.cells).length);
            const deleted = this.rows.filter((row) => row.id && row.isDeleted).map((row) => row.id);
            if (!isNew && !changed.length && !deleted.length) return "";
            return JSON.stringify({
                ...(isNew ? { options, read_options: this.readOptions } : {}),
                variants: changed,
                deleted,
                confirmed: this.page.asked,
            });
        }
    }

    const drawOptions = (state, redraw, say) => {
        const box = make("div");
        state.options.forEach((option, place) => {
            const title = make("input", { value: option.title, placeholder: "Size", maxLength: 255 });
            title.addEventListener("input", () => (option.title = title.value));
            const word = make("input", { placeholder: option.values.length ? "Add a value" : "S, M, L", maxLength: 5000 });
            word.dataset.option = place;
            const take = (text) => {
                const values = text.split(/[\n\t,]+/).map((one) => one.trim()).filter(Boolean);
                const messages = values.map((value) => state.addValue(place, value)).filter(Boolean);
                if (!values.length) return;
                redraw();
                document.querySelector(`.variant-grid [data-option="${place}"]`)?.focus();
                say(messages[0] ?? `${state.rows.filter((row) => !row.isDeleted).length} variants`);
            };
            word.addEventListener("keydown", (event) => {
                if (event.key === "Enter" || event.key === ",") {
                    event.preventDefault();
                    take(word.value);
                } else if (event.key === "Backspace" && !word.value && option.values.length) {
                    drop(option.values.at(-1));
                }
            });
            word.addEventListener("paste", (event) => {
                const text = event.clipboardData.getData("text");
                if (!/[\n\t,]/.test(text)) return;
                event.preventDefault();
                take(text);
            });
            word.addEventListener("change", () => take(word.value));
            const drop = (value) => {
                state.removeValue(place, value);
                redraw();
                document.querySelector(`.variant-grid [data-option="${place}"]`)?.focus();
                say(`'${value}' removed; its variants are deleted when you save.`);
            };
            const chips = option.values.map((value) =>
                make("span", { className: "chip" }, value, named(button("×", () => drop(value)), `Remove ${value}`))
            );
            box.append(
                make(
                    "div",
                    { className: "option" },
                    named(title, `Option ${place + 1}`),
                    make("div", { className: "chips" }, ...chips, named(word, `Values of option ${place + 1}`)),
                    named(
                        button("Remove", () => {
                            state.removeOption(place);
                            redraw();
                        }),
                        `Remove option ${option.title || place + 1}`
                    )
                )
            );
        });
        const bar = make("div", { className: "bar" });
        if (state.options.length < state.page.most_options) {
            const add = button("Add option", () => {
                state.options.push({ id: null, title: "", values: [] });
                redraw();
                [...document.querySelectorAll(".variant-grid .option > input")].at(-1).focus();
            });
            bar.append(add);
        }
        box.append(bar);
        return box;
    };

    document.addEventListener("DOMContentLoaded", () => {
        const place = document.querySelector(".variant-grid");
        if (!place) return;
        const state = new State(JSON.parse(document.getElementById("variant-grid-page").textContent));
        const status = make("p", { className: "quiet" });
        status.setAttribute("role", "status");
        const say = (text) => (status.textContent = text);
        const options = make("div");
        const table = make("div");
        const redraw = () => {
            options.replaceChildren(drawOptions(state, redraw, say));
            table.replaceChildren(window.drawVariants(state, redraw, say));
        };
        place.append(options, table, status);
        redraw();
        window.gridFaults.list(state);
        place.closest("form").addEventListener("formdata", (event) => event.formData.set(place.dataset.name, state.text));
    });
})();
