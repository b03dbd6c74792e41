// select2 replaces a select by its own field, without the label or aria-label: a screen reader would read the choice,
// but not what it is for. The cross that clears the choice is in the list but not a list item. And a name needs a role,
// which Django's tooltips lack. The palette is a dialog.
(() => {
    const named = (select) => select.labels?.[0]?.textContent.trim() || select.getAttribute("aria-label");

    const give = () => {
        for (const cross of document.querySelectorAll("ul > .select2-selection__clear:not([role])")) {
            cross.setAttribute("role", "listitem");
        }
        for (const tooltip of document.querySelectorAll(".help-tooltip[aria-label]:not([role])")) {
            tooltip.setAttribute("role", "img");
        }
        for (const drawn of document.querySelectorAll(".select2-container:not([data-name])")) {
            const select = drawn.previousElementSibling;
            const open = document.querySelector(".select2-container--open[data-name]");
            const name = select?.matches("select") ? named(select) : open?.dataset.name;
            if (!name) continue;
            drawn.dataset.name = name;
            for (const part of drawn.querySelectorAll("[role=combobox], [role=textbox], .select2-search__field")) {
                part.setAttribute("aria-label", name);
                part.removeAttribute("aria-labelledby");
            }
        }
    };

    document.addEventListener("DOMContentLoaded", () => {
        const palette = document.querySelector("[x-data='searchCommand()']");
        palette?.setAttribute("role", "dialog");
        palette?.setAttribute("aria-label", "Search");
        give();
        new MutationObserver(give).observe(document.body, { childList: true, subtree: true });
    });
})();
