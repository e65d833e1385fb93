/** Returns a value that the server wrote into the page as `<meta name="…">`. */
export const readPageMeta = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
