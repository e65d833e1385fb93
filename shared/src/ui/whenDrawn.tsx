/**
 * Repeats an attempt on each frame until it succeeds, because a popup needs several frames before it can be focused.
 * @returns a function that stops the attempts
 * @example useEffect(() => (isOpen ? whenDrawn(focusFirst) : undefined), [isOpen])
 */
export function whenDrawn(attempt: () => boolean | undefined) {
  let frame = requestAnimationFrame(function again() {
    if (!attempt()) frame = requestAnimationFrame(again)
  })
  return () => cancelAnimationFrame(frame)
}
