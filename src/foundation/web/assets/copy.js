// What is meant to be copied gets a button for it, where the browser lets a page copy.
if (navigator.clipboard) {
  for (const box of document.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button")
    const say = (text) => {
      button.textContent = text
      button.setAttribute("aria-label", `${text} ${box.dataset.copy}`)
    }
    button.type = "button"
    button.className = "copy"
    say("Copy")
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(box.querySelector("code").textContent)
      say("Copied")
      setTimeout(say, 2000, "Copy")
    })
    box.append(button)
  }
}
