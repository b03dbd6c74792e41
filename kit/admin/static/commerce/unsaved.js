// Leaving a form whose values have changed asks first. What would be submitted is compared with what the page had, so
// values that scripts set count as well: tables whose scripts submit JSON add it to the form's data.
document.addEventListener("DOMContentLoaded", () => {
    const form = document.querySelector("form[novalidate][id$=_form], form[data-unsaved]");
    if (!form) return;
    const values = () =>
        JSON.stringify([...new FormData(form)].map(([name, value]) => [name, value instanceof File ? value.name : value]));
    const isRefused = form.dataset.unsaved === "refused" || document.querySelector(".error-links");
    let stored = null; // nothing of a refused form is stored
    let isLeft = false;
    setTimeout(() => { // after the scripts that build parts of the form
        if (!isRefused) stored = values();
        window.addEventListener("beforeunload", (event) => {
            if (!isLeft && values() !== stored) event.preventDefault();
        });
    });
    form.addEventListener("submit", (event) => {
        isLeft = true;
        setTimeout(() => (isLeft = !event.defaultPrevented)); // after all listeners
    });
    window.addEventListener("pageshow", () => (isLeft = false)); // also if the browser shows the page as it was left
});
