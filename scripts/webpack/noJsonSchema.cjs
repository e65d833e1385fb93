// Describing schemas as JSON Schema is the server's work (OpenAPI); the browser only checks values.
const absent = () => () => {
  throw new Error('JSON Schema is not part of the browser build')
}
// Made at run time, so that the bundler does not ask for names that are never called.
module.exports = Object.fromEntries(
  ['createToJSONSchemaMethod', 'createStandardJSONSchemaMethod'].map((name) => [name, absent]),
)
