// A form that was refused opens at its first error; that of a new row, and a row that is added to a table, at its first
// field. The list of errors above a form leads to each.
document.addEventListener("DOMContentLoaded", () => {
    const targetOf = (link) => document.getElementById(link.hash.slice(1));
    const open = (target) => {
        for (let part = target; part; part = part.parentElement) if (part.matches("details")) part.open = true;
        const drawn = target.nextElementSibling?.matches(".select2-container") ? target.nextElementSibling : null;
        (drawn?.querySelector("[tabindex]") ?? target).focus();
        (drawn ?? target).scrollIntoView({ block: "center" });
    };
    const fieldOf = (part) =>
        [...part.querySelectorAll("input:not([type=hidden]), select, textarea")].find((one) => !one.disabled && one.offsetWidth);
    const links = [...document.querySelectorAll(".error-links a")];
    for (const link of links) {
        link.addEventListener("click", (event) => {
            const target = targetOf(link);
            if (!target) return;
            event.preventDefault();
            open(target);
        });
    }
    // Django's own script also takes the first field set for a field.
    const isNew = document.querySelector("#django-admin-form-add-constants[data-model-name]");
    const first = links.map(targetOf).find(Boolean) ?? (isNew && fieldOf(isNew.closest("form")));
    if (first) setTimeout(() => open(first));
    document.addEventListener("formset:added", (event) => fieldOf(event.target)?.focus());
});
