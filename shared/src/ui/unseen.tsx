/** Style for visually hidden text, which screen readers still announce. */
export const visuallyHidden = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const

/** @deprecated Use {@link visuallyHidden}; kept for remotes that were built before. */
export const unseen = visuallyHidden
