// The second click of a double click must not take the place of the answer to the first.
const pause = 5000
addEventListener("submit", (event) => {
  const { dataset } = event.target
  if (dataset.sent) return event.preventDefault()
  dataset.sent = "yes"
  setTimeout(() => delete dataset.sent, pause)
})
