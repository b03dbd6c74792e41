// The pictures of a product as tiles above the plain table. They keep the table's own inputs, so the form is the same.
//
// Files are sent to the upload route one after another, since the server takes few at a time. A picture can be saved
// with the product before it has been converted.
(() => {
    const LARGEST = 20 * 1024 * 1024;
    const TYPES = "image/jpeg,image/png,image/webp,image/avif,image/gif";
    const POLL_INTERVAL = 2000;
    const MOST_POLLS = 90;

    const { make, button, named } = window.elements;
    const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

    // One picture. inputs: those of its row, by field.
    class Tile {
        constructor(list, inputs, { shown, faults = [] }) {
            this.list = list;
            this.inputs = inputs;
            this.picture = make("div", { className: "shown", draggable: true }, shown);
            this.faults = make("div", { className: "fault" });
            this.faults.append(...faults.map((text) => make("div", { textContent: text })));
            this.label = make("label", { textContent: "Alternative text" }, inputs.alt);
            this.earlier = named(button("←", () => list.move(this, -1)), "Move earlier");
            this.later = named(button("→", () => list.move(this, 1)), "Move later");
            this.thumbnail = button("Thumbnail", () => list.setThumbnail(this));
            this.remove = button("Remove", () => list.setRemoved(this, !this.isRemoved));
            const bar = make("div", { className: "bar" }, this.earlier, this.later, this.thumbnail, this.remove);
            this.element = make("li", {}, this.picture, this.label, bar, this.faults);
            for (const name of ["id", "product", "url", "rank", "DELETE"]) {
                if (!inputs[name]) continue;
                inputs[name].hidden = true;
                this.element.append(inputs[name]);
            }
            this.picture.addEventListener("dragstart", (event) => list.beginDrag(this, event));
            this.picture.addEventListener("dragend", () => list.endDrag());
            this.element.addEventListener("dragover", (event) => list.dragOver(this, event));
        }

        get url() {
            return this.inputs.url.value;
        }

        get isRemoved() {
            const box = this.inputs.DELETE;
            return box.type === "checkbox" ? box.checked : box.value === "on";
        }

        set isRemoved(is) {
            const box = this.inputs.DELETE;
            if (box.type === "checkbox") box.checked = is;
            else box.value = is ? "on" : "";
        }

        // The texts that depend on its place, and on what is chosen.
        refresh(place, count, isThumbnail) {
            const name = `Picture ${place + 1} of ${count}`;
            this.element.setAttribute("aria-label", name);
            this.earlier.setAttribute("aria-label", `${name}: move earlier`);
            this.later.setAttribute("aria-label", `${name}: move later`);
            this.thumbnail.setAttribute("aria-label", `${name}: use as thumbnail`);
            this.thumbnail.setAttribute("aria-pressed", String(isThumbnail));
            this.remove.textContent = this.isRemoved ? "Keep" : "Remove";
            this.remove.setAttribute("aria-label", `${name}: ${this.remove.textContent.toLowerCase()}`);
            this.earlier.disabled = place === 0;
            this.later.disabled = place === count - 1;
            this.element.classList.toggle("is-removed", this.isRemoved);
        }

        report(text) {
            this.faults.append(make("div", { textContent: text }));
        }
    }

    class Pictures {
        constructor(place) {
            this.place = place;
            this.prefix = place.dataset.prefix;
            this.total = document.querySelector(`[name="${this.prefix}-TOTAL_FORMS"]`);
            this.chosen = document.querySelector("[name=thumbnail]");
            this.field = document.querySelector(".field-thumbnail");
            this.list = make("ol");
            this.status = make("div", { role: "status" });
            this.problems = make("div", { className: "fault", role: "alert" });
            this.tiles = this.rows().map((row) => this.tileOf(row));
            const ranks = this.tiles.map((tile) => Number(tile.inputs.rank.value)).filter(Number.isFinite);
            this.first = ranks.length ? Math.min(...ranks) : 0;
            this.queue = Promise.resolve();
            place.replaceChildren(this.list, this.dropZone(), this.status, this.problems);
            place.classList.add("is-shown");
            this.draw();
        }

        rows() {
            const group = this.place.closest("[data-inline-type]");
            return [...group.querySelectorAll("tbody:not(.empty-form)")].filter((row) => this.input(row, "url"));
        }

        input(row, name) {
            return row.querySelector(`input[name^="${this.prefix}-"][name$="-${name}"]`);
        }

        tileOf(row) {
            const names = ["id", "product", "url", "alt", "rank", "DELETE"];
            const inputs = Object.fromEntries(names.map((name) => [name, this.input(row, name)]));
            inputs.DELETE ??= this.hidden(inputs.url.name.replace(/url$/, "DELETE"));
            const faults = [...row.querySelectorAll("td.errors .text-red-600, .row-form-errors")].map((one) => one.textContent.trim());
            const shown = row.querySelector("img") ?? make("img", { src: inputs.url.value, alt: "" });
            shown.removeAttribute("class");
            shown.draggable = false;
            return new Tile(this, inputs, { shown, faults });
        }

        hidden(name, value = "") {
            return make("input", { type: "hidden", name, value });
        }

        // A picture without a row: the form gets one more.
        add(url, shown) {
            const row = `${this.prefix}-${this.total.value}`;
            this.total.value = Number(this.total.value) + 1;
            const owner = document.querySelector(`input[name="${this.prefix}-__prefix__-product"]`);
            const tile = new Tile(this, {
                id: this.hidden(`${row}-id`),
                product: this.hidden(`${row}-product`, owner?.value ?? ""),
                url: this.hidden(`${row}-url`, url),
                rank: this.hidden(`${row}-rank`),
                DELETE: this.hidden(`${row}-DELETE`),
                alt: make("input", { type: "text", name: `${row}-alt`, maxLength: 500 }),
            }, { shown });
            this.tiles.push(tile);
            if (this.chosen && !this.chosen.value) this.chosen.value = url;
            this.changed();
            return tile;
        }

        draw() {
            this.tiles.forEach((tile, place) => {
                if (this.list.children[place] !== tile.element) this.list.insertBefore(tile.element, this.list.children[place] ?? null);
                tile.refresh(place, this.tiles.length, this.chosen?.value === tile.url);
            });
            // The tiles show which picture is the thumbnail, unless it is none of them.
            const isShown = !this.chosen?.value || this.tiles.some((tile) => tile.url === this.chosen.value);
            if (this.field) this.field.hidden = isShown && !this.field.querySelector(".text-red-600");
        }

        // Keep ranks that ascend already, and raise the others.
        changed() {
            let last = this.first - 1;
            for (const { inputs } of this.tiles) {
                const rank = inputs.rank.value === "" ? NaN : Number(inputs.rank.value);
                if (!(rank > last)) inputs.rank.value = last + 1;
                last = Number(inputs.rank.value);
            }
            this.draw();
            this.total.dispatchEvent(new Event("change", { bubbles: true }));
        }

        move(tile, by) {
            const from = this.tiles.indexOf(tile);
            const to = from + by;
            if (to < 0 || to >= this.tiles.length) return;
            this.tiles.splice(to, 0, ...this.tiles.splice(from, 1));
            this.renumber();
            const pressed = by < 0 ? tile.earlier : tile.later;
            (pressed.disabled ? tile.element.querySelector("button:not(:disabled)") : pressed).focus();
            this.status.textContent = `Now picture ${to + 1} of ${this.tiles.length}.`;
        }

        // The same ranks in the new order.
        renumber() {
            const ranks = this.tiles.map((tile) => Number(tile.inputs.rank.value)).sort((one, other) => one - other);
            this.tiles.forEach((tile, place) => { tile.inputs.rank.value = ranks[place]; });
            this.changed();
        }

        setThumbnail(tile) {
            if (this.chosen) this.chosen.value = tile.url;
            this.changed();
        }

        setRemoved(tile, is) {
            tile.isRemoved = is;
            if (is && this.chosen?.value === tile.url) {
                this.chosen.value = this.tiles.find((one) => !one.isRemoved)?.url ?? "";
            }
            this.changed();
        }

        beginDrag(tile, event) {
            this.dragged = tile;
            event.dataTransfer.effectAllowed = "move";
            event.dataTransfer.setData("text/plain", tile.url);
            tile.element.classList.add("is-dragged");
        }

        dragOver(tile, event) {
            if (!this.dragged) return;
            event.preventDefault();
            if (this.dragged === tile) return;
            const to = this.tiles.indexOf(tile);
            this.tiles.splice(this.tiles.indexOf(this.dragged), 1);
            this.tiles.splice(to, 0, this.dragged);
            this.draw();
        }

        endDrag() {
            this.dragged?.element.classList.remove("is-dragged");
            this.dragged = null;
            this.renumber();
        }

        dropZone() {
            // The theme shows the name of a chosen file in a text field beside it, unless hasChangeListener is set.
            const input = make("input", { type: "file", multiple: true, accept: TYPES, hasChangeListener: true });
            input.addEventListener("change", () => {
                this.upload([...input.files]);
                input.value = "";
            });
            const zone = make("div", { className: "drop" }, make("label", { className: "choose", textContent: "Choose pictures" }, input), " or drop them here");
            zone.addEventListener("dragover", (event) => {
                if (this.dragged) return;
                event.preventDefault();
                zone.classList.add("is-over");
            });
            zone.addEventListener("dragleave", () => zone.classList.remove("is-over"));
            zone.addEventListener("drop", (event) => {
                event.preventDefault();
                zone.classList.remove("is-over");
                this.upload([...event.dataTransfer.files]);
            });
            return zone;
        }

        upload(files) {
            this.problems.replaceChildren();
            for (const file of files) this.queue = this.queue.then(() => this.uploadOne(file));
        }

        async uploadOne(file) {
            if (file.size > LARGEST) return this.fail(file, "is larger than 20 MiB.");
            const bar = make("progress", { max: file.size || 1, value: 0 });
            bar.setAttribute("aria-label", `Uploading ${file.name}`);
            const line = make("div", {}, `Uploading ${file.name}`, bar);
            this.place.append(line);
            try {
                const made = await this.send(file, (sent) => { bar.value = sent; });
                const tile = this.add(made.url, await preview(file));
                this.status.textContent = `${file.name} was uploaded. Save the product to keep it.`;
                if (made.status !== "ready") this.watch(tile, made.id);
            } catch (fault) {
                this.fail(file, fault.message);
            } finally {
                line.remove();
            }
        }

        fail(file, message) {
            this.problems.append(make("div", { textContent: `${file.name} ${message}` }));
        }

        // Raises Error with the reason of a refusal. While others upload, it waits as long as the server says.
        async send(file, report) {
            const answer = await request(this.place.dataset.uploads, file, report);
            if (answer.status === 503) {
                await pause(1000 * (Number(answer.getResponseHeader("Retry-After")) || 5));
                return this.send(file, report);
            }
            let body = {};
            try {
                body = JSON.parse(answer.responseText);
            } catch {
                // a proxy's own page
            }
            if (answer.status === 200) return body.files[0];
            const reason = (body.message ?? "").replace(/^Invalid request: Field 'files\[0\]' /, "");
            throw new Error(reason && reason !== body.message ? `${reason}.` : `could not be uploaded. ${reason}`);
        }

        // Poll until the picture is converted, and report it if that fails.
        async watch(tile, id) {
            for (let poll = 0; poll < MOST_POLLS; poll += 1) {
                await pause(POLL_INTERVAL);
                const answer = await fetch(`${this.place.dataset.uploads}/${encodeURIComponent(id)}`).catch(() => null);
                if (!answer || !answer.ok) return;
                const { file } = await answer.json();
                if (file.status === "failed") {
                    tile.report(`It cannot be used. ${file.reason}.`);
                    this.setRemoved(tile, true);
                }
                if (file.status !== "processing") return;
            }
        }
    }

    // The picture in the file, drawn by the browser: its URL can be loaded only once it has been converted.
    const preview = async (file) => {
        const canvas = make("canvas", { width: 1, height: 1 });
        try {
            const image = await createImageBitmap(file);
            const scale = Math.min(1, 400 / Math.max(image.width, image.height));
            canvas.width = Math.max(1, Math.round(image.width * scale));
            canvas.height = Math.max(1, Math.round(image.height * scale));
            canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
            image.close();
        } catch {
            // the browser cannot show it; the server decides whether it can be used
        }
        return canvas;
    };

    const request = (address, file, report) => new Promise((done, fail) => {
        const form = new FormData();
        form.append("files", file);
        const sent = new XMLHttpRequest();
        sent.open("POST", address);
        sent.upload.addEventListener("progress", (event) => report(event.loaded));
        sent.addEventListener("load", () => done(sent));
        sent.addEventListener("error", () => fail(new Error("could not be uploaded. The connection failed.")));
        sent.send(form);
    });

    document.addEventListener("DOMContentLoaded", () => {
        for (const place of document.querySelectorAll(".pictures[data-prefix]")) {
            if (Number(place.dataset.pages) <= 1) new Pictures(place);
        }
    });
})();
