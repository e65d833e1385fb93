import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'

/** A host that knows nothing of the console, to prove that a remote runs in any Module Federation host. */
export default {
  mode: 'production',
  entry: { main: './index.ts' },
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: { rules: [{ test: /\.tsx?$/, loader: 'ts-loader', options: { transpileOnly: true } }] },
  plugins: [
    new ModuleFederationPlugin({
      name: 'stockHost',
      shared: Object.fromEntries(
        ['react', 'react-dom', 'react-router-dom'].map((name) => [name, { singleton: true }]),
      ),
      dts: false,
    }),
  ],
}
