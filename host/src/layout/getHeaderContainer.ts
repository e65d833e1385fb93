/**
 * Popups of the header render inside it, so that they are next to their button for the keyboard and inside a landmark.
 */
export const getHeaderContainer = (button: HTMLElement) => button.parentElement!
