/** What the server wrote into the page: `<meta name="…">`. */
export const pageMeta = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
