let commonPasswords: Promise<ReadonlySet<string>> | undefined

/**
 * Loads the list on first use, because few processes of a cluster ever need it: the commonest 49,000 passwords of leaks
 * in lower case, kept by the project zxcvbn-ts.
 */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}

export async function isCommonPassword(password: string) {
  // A list that could not be read is read again, because a sign-in waits for it.
  commonPasswords ??= loadCommonPasswords().catch((error: unknown) => {
    commonPasswords = undefined
    throw error
  })
  return (await commonPasswords).has(password.normalize('NFKC').toLowerCase())
}
