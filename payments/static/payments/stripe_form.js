/* Stripe's form on the shop's payment page. Stripe then leads back to the page, which asks it for the result. */
(function () {
    const form = document.querySelector("[data-client-secret]");
    const button = form.querySelector("button");
    const refusal = form.querySelector("[role=alert]");
    const stripe = Stripe(form.dataset.publishableKey);
    const elements = stripe.elements({ clientSecret: form.dataset.clientSecret });
    elements.create("payment").mount(form.querySelector(".fields"));
    form.addEventListener("submit", async function (event) {
        event.preventDefault();
        button.disabled = true;
        refusal.textContent = "";
        const { error } = await stripe.confirmPayment({ elements, confirmParams: { return_url: form.action } });
        refusal.textContent = error.message;
        button.disabled = false;
    });
})();
