// Updates the progress on a job's page every two seconds, and reloads the page when the job ends.
const EVERY = 2000;
const CHANGING = ":scope > p, :scope > progress";

async function follow() {
  const answer = await fetch(window.location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (answer && answer.ok) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const progress = page.getElementById("progress");
    if (!progress || !("unfinished" in progress.dataset)) {
      window.location.reload();
      return;
    }
    // Replace only what changed: screen readers read a status aloud each time it is written.
    const before = document.getElementById("progress").querySelectorAll(CHANGING);
    progress.querySelectorAll(CHANGING).forEach((after, index) => {
      if (!before[index].isEqualNode(after)) before[index].replaceWith(after);
    });
  }
  window.setTimeout(follow, EVERY);
}

window.setTimeout(follow, EVERY);
