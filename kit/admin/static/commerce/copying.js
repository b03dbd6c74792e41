// A copy button below each text that people need as a whole, such as a key or the code of a gift card.
document.addEventListener("DOMContentLoaded", () => {
    if (!navigator.clipboard) return;
    for (const text of document.querySelectorAll(".copyable")) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "copy-button border border-base-200 cursor-pointer mt-2 px-3 py-1 rounded-default dark:border-base-700";
        button.textContent = "Copy";
        button.setAttribute("aria-live", "polite");
        button.addEventListener("click", async () => {
            await navigator.clipboard.writeText(text.innerText.trim());
            button.textContent = "Copied";
        });
        text.after(button);
    }
});
