/** Stops the server that `testing.setup.mjs` started in this process. */
export default async () => {
  await globalThis.sharedPostgres.close()
}
