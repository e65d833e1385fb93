import { Component, type ReactNode } from 'react'
import { asLoadFailure, isLoadFailure } from '../federation/failure'
import { LoadFailed } from '../pages/errors/LoadFailed'
import { toError } from '../pages/errors/reportError'

type PartBoundaryProps = { children: ReactNode }

/** Surrounds a part of the shell that loads on demand, so that a failed load leaves the rest usable. */
export class PartBoundary extends Component<PartBoundaryProps, { error?: Error }> {
  override state: { error?: Error } = {}
  static getDerivedStateFromError = (error: unknown) => ({ error: toError(error) })
  static getDerivedStateFromProps = ({ children }: PartBoundaryProps) =>
    // Closing the part clears the error, so that the next opening loads it again.
    children ? null : { error: undefined }

  readonly retryLoad = async () => this.setState({ error: undefined })

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!isLoadFailure(error)) throw error
    return <LoadFailed failure={asLoadFailure(error)} onRetry={this.retryLoad} />
  }
}
