// The theme's icons are words that its font draws, and screen readers would read them: "package_2 Products". So icons
// are hidden from them, and a control that is only an icon gets a name. Controls that the theme made for a mouse alone
// become buttons: the menu, the search, the user's own menu.
(() => {
    const NAMES = {
        arrow_back: "Back",
        check_small: "Yes",
        close: "Close",
        close_small: "No",
        dock_to_right: "Menu",
        more_horiz: "More",
        search: "Search",
        storefront: "Overview",
    };
    const ICON = ".material-symbols-outlined";

    const words = (holder) => holder.textContent.trim().split(/\s+/);

    const isBare = (holder) => {
        const drawn = [holder, ...holder.querySelectorAll(ICON)].filter((one) => one.matches(ICON)).flatMap(words);
        return words(holder).every((word) => drawn.includes(word));
    };

    const press = (event) => {
        if (event.target !== event.currentTarget || (event.key !== "Enter" && event.key !== " ")) return;
        event.preventDefault();
        event.currentTarget.click();
    };

    const nameIcons = () => {
        for (const icon of document.querySelectorAll(`${ICON}:not([aria-hidden], [aria-label])`)) {
            const [word] = words(icon);
            const isAnswer = word.endsWith("_small");
            const holder = icon.closest("a, button, summary, [title], [x-on\\:click]") ?? icon.parentElement;
            const hasName = (holder.title && !isAnswer) || holder.hasAttribute("aria-label") || !isBare(holder);
            if (!hasName && NAMES[word]) {
                holder.setAttribute("aria-label", NAMES[word]);
                if (isAnswer) holder.setAttribute("role", "img");
            }
            if (holder !== icon && (hasName || NAMES[word])) icon.setAttribute("aria-hidden", "true");
        }
    };

    const makeButtons = () => {
        for (const one of document.querySelectorAll(":is(div, span)[x-on\\:click]:not([role])")) {
            if (!one.matches(`${ICON}, [x-on\\:click*="opencommand"], [x-on\\:click*="openUserLinks"]`)) continue;
            one.setAttribute("role", "button");
            one.tabIndex = 0;
            one.addEventListener("keydown", press);
        }
    };

    const nameSearch = () => {
        const words = document.querySelector('[x-on\\:click*="opencommand"] .truncate');
        if (words && words.textContent !== "Search") words.textContent = "Search";
    };

    const update = () => {
        nameIcons();
        makeButtons();
        nameSearch();
    };

    document.addEventListener("DOMContentLoaded", () => {
        update();
        new MutationObserver(update).observe(document.body, { childList: true, subtree: true });
    });
})();
