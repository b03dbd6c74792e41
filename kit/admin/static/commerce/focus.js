// A form that was refused opens at its first error; that of a new row, and a row that is added to a table, at its first
// field. The list of errors above a form leads to each, and in a part of the page to its first field, or to the first
// that is wrong.
document.addEventListener("DOMContentLoaded", () => {
    const targetOf = (link) => document.getElementById(link.hash.slice(1));
    const fieldOf = (part) => {
        const all = [...part.querySelectorAll("input:not([type=hidden], [type=file]), select, textarea")];
        const fields = all.filter((one) => !one.disabled && one.offsetWidth);
        return fields.find((one) => one.getAttribute("aria-invalid") === "true") ?? fields[0];
    };
    const open = (target) => {
        for (let part = target; part; part = part.parentElement) if (part.matches("details")) part.open = true;
        const drawn = target.nextElementSibling?.matches(".select2-container") ? target.nextElementSibling : null;
        let shown = drawn ?? target;
        // a script shows another field for it
        while (!shown.offsetWidth && shown.parentElement) shown = shown.parentElement;
        const isField = shown.matches("input, select, textarea, button, a");
        const field = drawn?.querySelector("[tabindex]") ?? (isField ? shown : fieldOf(shown));
        (field ?? shown).focus();
        (isField || !field ? shown : field).scrollIntoView({ block: "center" });
    };
    document.addEventListener("click", (event) => {
        const link = event.target.closest(".error-links a");
        const target = link && targetOf(link);
        if (!target) return;
        event.preventDefault();
        open(target);
    });
    // After the scripts that draw parts of the page, and list the errors in them.
    setTimeout(() => {
        const errors = document.querySelector(".error-links");
        // Django's own script also takes the first field set for a field.
        const isNew = document.querySelector("#django-admin-form-add-constants[data-model-name], form[data-new]");
        const targets = [...(errors?.querySelectorAll("a") ?? [])].map(targetOf).filter(Boolean);
        const first = errors ? targets[0] : isNew && fieldOf(isNew.closest("form"));
        if (first) open(first);
    });
    document.addEventListener("formset:added", (event) => fieldOf(event.target)?.focus());
});
