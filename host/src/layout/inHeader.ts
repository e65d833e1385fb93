/** What opens from the header is drawn in it: near its button for the keyboard, and within a landmark. */
export const inHeader = (button: HTMLElement) => button.parentElement!
