/** A line that runs while the code of a screen is on its way; what comes at once shows none. */
export const Opening = () => (
  <div className="shell-opening" role="progressbar" aria-label="正在打开" />
)
