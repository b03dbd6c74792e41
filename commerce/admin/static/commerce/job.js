// A job's page follows its job: the progress is replaced every two seconds, and at the end the page is loaded again.
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
    // Only what changed: a status that is written again would be read aloud each time.
    const before = document.getElementById("progress").querySelectorAll(CHANGING);
    progress.querySelectorAll(CHANGING).forEach((after, index) => {
      if (!before[index].isEqualNode(after)) before[index].replaceWith(after);
    });
  }
  window.setTimeout(follow, EVERY);
}

window.setTimeout(follow, EVERY);
