// A picture of this shop (data-own) that was just uploaded has no small copy yet: until it has, its place stays empty.
(() => {
    const INTERVAL_MS = 2000;
    const MAX_TRIES = 30;
    const OWN = "img[data-own]";

    const wait = (image) => {
        const tries = Number(image.dataset.tries ?? 0);
        image.style.visibility = "hidden";
        if (tries === MAX_TRIES) return;
        image.dataset.tries = tries + 1;
        setTimeout(() => { image.src = image.src; }, INTERVAL_MS);
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
