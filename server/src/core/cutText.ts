/** Cuts a text between two characters; half of a surrogate pair could be neither stored nor sent. */
export const cutText = (text: string, maxCharacters: number) =>
  [...text].slice(0, maxCharacters).join('')
