// A form that was refused opens at its first error; the list of errors above it leads to each.
document.addEventListener("DOMContentLoaded", () => {
    const targetOf = (link) => document.getElementById(link.hash.slice(1));
    const open = (target) => {
        for (let part = target; part; part = part.parentElement) if (part.matches("details")) part.open = true;
        const drawn = target.nextElementSibling?.matches(".select2-container") ? target.nextElementSibling : null;
        (drawn?.querySelector("[tabindex]") ?? target).focus();
        (drawn ?? target).scrollIntoView({ block: "center" });
    };
    const links = [...document.querySelectorAll(".error-links a")];
    for (const link of links) {
        link.addEventListener("click", (event) => {
            const target = targetOf(link);
            if (!target) return;
            event.preventDefault();
            open(target);
        });
    }
    const first = links.map(targetOf).find(Boolean);
    if (first) setTimeout(() => open(first));
});
