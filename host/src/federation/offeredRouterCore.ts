/** The same part under the name `react-router`, which `react-router-dom` consists of: a file is offered under one name. */
export * from './offeredRouter'
