// The server converts schemas to JSON Schema (OpenAPI); the browser only validates values.
const absent = () => () => {
  throw new Error('JSON Schema is not part of the browser build')
}
// The exports are created at run time, so that the bundler does not report names that are never called.
module.exports = Object.fromEntries(
  ['createToJSONSchemaMethod', 'createStandardJSONSchemaMethod'].map((name) => [name, absent]),
)
