// What is meant to be copied has a button for it, which shows where the browser lets a page copy.
if (navigator.clipboard) {
  for (const button of document.querySelectorAll("button.copy")) {
    const label = [...button.childNodes]
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent)
      button.textContent = button.dataset.copied
      setTimeout(() => button.replaceChildren(...label), 2000)
    })
    button.hidden = false
  }
}
