// A picture that was uploaded a moment ago has no small copy yet: its place stays empty until there is one.
(() => {
    const EVERY = 2000;
    const MOST = 30;
    const OWN = "img[data-own]";

    const wait = (image) => {
        const tries = Number(image.dataset.tries ?? 0);
        image.style.visibility = "hidden";
        if (tries === MOST) return;
        image.dataset.tries = tries + 1;
        setTimeout(() => { image.src = image.src; }, EVERY);
    };

    document.addEventListener("error", ({ target }) => target.matches?.(OWN) && wait(target), true);
    document.addEventListener("load", ({ target }) => {
        if (target.matches?.(OWN)) target.style.visibility = "";
    }, true);
    document.addEventListener("DOMContentLoaded", () => {
        for (const image of document.querySelectorAll(OWN)) {
            if (image.complete && !image.naturalWidth && !image.dataset.tries) wait(image);
        }
    });
})();
