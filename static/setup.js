// A new match: names typed appear among the dealers; the lines of the rules show what is chosen; players are seated and
// drawn without leaving the page.

(() => {
  const form = document.querySelector("form:has(.rules)");
  if (!form) return;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  function nameDealers() {
    for (const dealer of form.querySelectorAll("input[name=dealer]")) {
      const [side, seat] = dealer.value.split("-");
      const name = form.elements[`name-${side}`];
      const field = form.elements[`player-${side}-${seat}`];
      const values = {
        side: name.value.trim() || name.defaultValue,
        seat: Number(seat) + 1,
        player: field?.value.trim(),
      };
      const text = field
        ? fill(values.player ? form.dataset.named : form.dataset.unnamed, values)
        : values.side;
      dealer.labels[0].textContent = text;
    }
  }

  // The button says who plays, as they are typed.
  function nameSides() {
    const button = document.getElementById("start");
    if (!button) return;
    const fields = [...form.querySelectorAll("input[name^=name-]")];
    const names = fields.map((field) => field.value.trim() || field.defaultValue);
    const { start, versus, listed } = form.dataset;
    const [one, other] = names;
    const list = { some: names.slice(0, -1).join(", "), last: names.at(-1) };
    const sides = names.length === 2 ? fill(versus, { one, other }) : fill(listed, list);
    button.textContent = fill(start, { sides });
  }

  function showRule(line, follows) {
    const chosen = line.querySelector("input:checked");
    const typed = line.querySelector("input[type=text]");
    line.classList.toggle(
      "differs",
      chosen?.name !== "preset" && Boolean((chosen || typed)?.value.trim()),
    );
    if (!chosen) return;
    // The value of a rule that follows the rules chosen is that under those that the page was made for; its detail says so.
    const detail = chosen.value === "" && !follows && chosen.labels[0].querySelector(".detail");
    line.querySelector(".rule-value").textContent = (
      detail || chosen.labels[0].firstChild
    ).textContent.trim();
  }

  function showRules() {
    const lines = [...form.querySelectorAll(".rule")];
    const preset = form.querySelector("input[name=preset]:checked");
    for (const line of lines) showRule(line, !preset || preset.defaultChecked);
    const title = document.querySelector("[data-rules]");
    const count = lines.filter((line) => line.classList.contains("differs")).length;
    const { none, one, many } = title.dataset;
    title.textContent = count === 0 ? none : count === 1 ? one : fill(many, { count });
  }

  // The server seats and draws: what differs on the page that it answers is taken over.
  async function reshow(button) {
    const body = new URLSearchParams(new FormData(form));
    body.append(button.name, button.value);
    const answer = await fetch(button.formAction, { method: "POST", body });
    const fresh = new DOMParser()
      .parseFromString(await answer.text(), "text/html")
      .querySelector("form.setup");
    if (!answer.ok || !fresh) throw new Error(answer.status);
    window.becoming.become(form, fresh);
    nameSides();
  }

  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!window.becoming || !["player", "pair", "draw"].includes(button?.name)) return;
    event.preventDefault();
    reshow(button).catch(() => {
      // As without a script: the next page is the answer, or says what is wrong.
      const sent = form.appendChild(
        Object.assign(document.createElement("input"), {
          type: "hidden",
          name: button.name,
          value: button.value,
        }),
      );
      form.submit();
      sent.remove();
    });
  });

  form.addEventListener("input", (event) => {
    if (/^(name|player)-/.test(event.target.name)) nameDealers();
    if (event.target.name.startsWith("name-")) nameSides();
    if (event.target.closest(".rules")) showRules();
  });

  nameSides();
})();
