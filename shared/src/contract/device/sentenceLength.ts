/** A longer text is no command, and interpreting it takes time with the third power of its length. */
export const maxSentenceLength = 200
export const sentenceTooLong = `口令最多 ${maxSentenceLength} 个字`
