// The list of categories as a tree whose rows can be dragged, or moved with the arrow keys. The form of a category does
// the same without a script.
(() => {
    const MOVED = "commerce.moved-category";
    const HINT = "Drag it, or press the arrow keys: up and down change its rank, right moves it into the category "
        + "before it, left moves it out.";
    const { button, make, named } = window.elements;

    class Tree {
        constructor(rows) {
            this.nodes = rows.map((shown) => this.node(shown));
            this.status = make("div", { role: "status", className: "category-status" });
            document.querySelector("#result_list").before(this.status);
            this.resume();
        }

        node(shown) {
            const row = shown.closest("tr");
            const { id, parent, rank, url } = shown.dataset;
            const node = { id, parent, rank: Number(rank), url, name: shown.textContent, row };
            node.handle = named(button("⠿", () => {}, { className: "category-handle", title: HINT, draggable: true }), `Move ${node.name}`);
            node.handle.addEventListener("keydown", (event) => this.press(node, event));
            node.handle.addEventListener("dragstart", (event) => {
                this.dragged = node;
                event.dataTransfer.effectAllowed = "move";
                event.dataTransfer.setData("text/plain", node.name);
                event.dataTransfer.setDragImage(row, 0, 0);
            });
            node.handle.addEventListener("dragend", () => {
                this.dragged = null;
                this.mark(null);
            });
            row.addEventListener("dragover", (event) => this.over(node, event));
            row.addEventListener("drop", (event) => this.drop(node, event));
            shown.closest("td, th").prepend(node.handle);
            return node;
        }

        press(node, event) {
            const { parent, rank } = node;
            const above = this.nodes.find((one) => one.id === parent);
            const before = this.nodes.find((one) => one.parent === parent && one.rank === rank - 1);
            const targets = {
                ArrowUp: rank > 0 && { parent, rank: rank - 1 },
                ArrowDown: this.nodes.some((one) => one.parent === parent && one.rank > rank) && { parent, rank: rank + 1 },
                ArrowRight: before && { parent: before.id, rank: "" },
                ArrowLeft: above && { parent: above.parent, rank: above.rank + 1 },
            };
            if (!(event.key in targets)) return;
            event.preventDefault();
            if (targets[event.key]) this.move(node, targets[event.key]);
        }

        // The upper quarter of a row means before it, the lower one after it, the rest into it.
        place(node, event) {
            const { top, height } = node.row.getBoundingClientRect();
            const share = (event.clientY - top) / height;
            return share < 0.25 ? "before" : share > 0.75 ? "after" : "into";
        }

        over(node, event) {
            if (!this.dragged || this.dragged === node) return;
            event.preventDefault();
            this.mark(node.row, this.place(node, event));
        }

        drop(node, event) {
            if (!this.dragged || this.dragged === node) return;
            event.preventDefault();
            const dragged = this.dragged;
            const place = this.place(node, event);
            if (place === "into") return this.move(dragged, { parent: node.id, rank: "" });
            const closesUp = dragged.parent === node.parent && dragged.rank < node.rank;
            this.move(dragged, { parent: node.parent, rank: node.rank + (place === "after") - closesUp });
        }

        mark(row, place) {
            this.marked?.removeAttribute("data-drop");
            this.marked = row;
            if (row) row.dataset.drop = place;
        }

        async move(node, { parent, rank }) {
            if (this.isBusy) return;
            this.isBusy = true;
            const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
            const body = new URLSearchParams({ parent, rank, csrfmiddlewaretoken: token });
            let message = "The category could not be moved. Reload the page.";
            try {
                const answer = await fetch(node.url, { method: "POST", body });
                if (answer.headers.get("Content-Type")?.startsWith("application/json")) message = (await answer.json()).message;
                if (answer.ok) {
                    sessionStorage.setItem(MOVED, JSON.stringify({ id: node.id, message }));
                    const folded = document.querySelector(`#fold-${CSS.escape(parent)}[aria-expanded="false"]`);
                    if (folded) location.href = folded.href.replace(/#.*/, "");
                    else location.reload();
                    return;
                }
            } catch {
                message = "The category could not be moved. The connection failed.";
            }
            this.isBusy = false;
            this.status.textContent = message;
        }

        // After a move the list is loaded again: the handle gets the focus, and the message is announced, once the
        // theme shows the list.
        resume() {
            const moved = JSON.parse(sessionStorage.getItem(MOVED) ?? "null");
            sessionStorage.removeItem(MOVED);
            if (!moved) return;
            addEventListener("load", () => requestAnimationFrame(() => {
                this.nodes.find((one) => one.id === moved.id)?.handle.focus();
                this.status.textContent = moved.message;
            }));
        }
    }

    document.addEventListener("DOMContentLoaded", () => {
        const rows = [...document.querySelectorAll("#result_list [data-category]")];
        if (rows.length) new Tree(rows);
    });
})();
