// The values of rules, chosen by name. The text area behind holds their ids, one per line, and is what the form sends.
(() => {
    const { make, button, named } = window.elements;

    const fetched = async (address, attribute, asked) => {
        const query = new URLSearchParams([["attribute", attribute], ...asked]);
        const answer = await fetch(`${address}?${query}`, { headers: { Accept: "application/json" } });
        return answer.ok ? (await answer.json()).values : null; // null: the values are typed
    };

    const enhance = (area) => {
        const attribute = area.closest("tr, .form-row, .formset-row")?.querySelector('select[name$="-attribute"]');
        if (!attribute || area.dataset.isEnhanced) return;
        area.dataset.isEnhanced = "yes";
        const names = new Map();
        const list = make("datalist", { id: `${area.id}-found` });
        const input = named(make("input", { type: "text", autocomplete: "off", placeholder: "Type to find" }), "Add a value");
        input.setAttribute("list", list.id);
        const chips = make("span", { className: "chips" });
        const picker = make("div", { className: "rule-values", hidden: true }, chips, input, list);
        area.before(picker);

        const ids = () => area.value.split("\n").map((line) => line.trim()).filter(Boolean);
        const put = (chosen) => {
            area.value = chosen.join("\n");
            area.dispatchEvent(new Event("change", { bubbles: true }));
            draw();
        };
        const draw = () => chips.replaceChildren(...ids().map((id) => {
            const name = names.get(id) ?? id;
            const drop = named(button("×", () => { put(ids().filter((one) => one !== id)); input.focus(); }), `Remove ${name}`);
            return make("span", { className: "chip" }, name, drop);
        }));
        const offer = (found) => list.replaceChildren(...found.map(({ id, name }) => {
            names.set(id, name);
            return make("option", { value: name });
        }));
        const add = () => {
            const typed = input.value.trim();
            const id = [...names].find(([, name]) => name === typed)?.[0];
            if (!id) return;
            input.value = "";
            if (!ids().includes(id)) put([...ids(), id]);
        };

        let asked = 0;
        input.addEventListener("input", async () => {
            add();
            const number = (asked += 1);
            const found = await fetched(area.dataset.ruleValues, attribute.value, [["q", input.value]]);
            if (number === asked && found) offer(found);
        });
        input.addEventListener("keydown", (event) => {
            if (event.key !== "Enter") return;
            event.preventDefault(); // it would submit the form
            add();
        });

        const show = async () => {
            const has = await fetched(area.dataset.ruleValues, attribute.value, ids().map((id) => ["id", id]));
            picker.hidden = !has;
            area.hidden = Boolean(has);
            if (!has) return;
            offer(has);
            draw();
        };
        attribute.addEventListener("change", () => {
            names.clear();
            put([]); // they mean nothing for another attribute
            show();
        });
        if (attribute.value) show();
    };

    const all = (root) => root.querySelectorAll("textarea[data-rule-values]").forEach((area) => {
        if (!area.name.includes("__prefix__")) enhance(area);
    });
    document.addEventListener("DOMContentLoaded", () => all(document));
    document.addEventListener("formset:added", (event) => all(event.target));
})();
