// What the scripts of this app build pages from.
window.elements = (() => {
    const make = (tag, properties = {}, ...children) => {
        const element = Object.assign(document.createElement(tag), properties);
        element.append(...children);
        return element;
    };
    const button = (label, act, properties = {}) => {
        const element = make("button", { type: "button", textContent: label, ...properties });
        element.addEventListener("click", act);
        return element;
    };
    const named = (element, label) => (element.setAttribute("aria-label", label), element);
    return { make, button, named };
})();
