/**
 * Removes the field of index.html that takes what is typed before the login form is there.
 * @returns the text in it
 */
export function removeEarlyField() {
  const field = document.querySelector<HTMLInputElement>('#early')
  field?.remove()
  return field?.value ?? ''
}
