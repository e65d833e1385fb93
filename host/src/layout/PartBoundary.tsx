import { Component, type ReactNode } from 'react'
import { asLoadFailure, isLoadFailure } from '../federation/failure'
import { LoadFailed } from '../federation/LoadFailed'
import { Button } from '../lite/Button'
import * as styles from './layout.module.css'
import { toError } from '../pages/errors/reportError'

type PartBoundaryProps = {
  /** A dialog sets this, so that its failure is shown in a dialog, too. Otherwise the failure replaces the part. */
  onClose?: () => void
  children: ReactNode
}

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
    const { onClose, children } = this.props
    if (error === undefined) return children
    if (!isLoadFailure(error)) throw error
    const failureView = <LoadFailed failure={asLoadFailure(error)} onRetry={this.retryLoad} />
    return onClose ? (
      // This uses the browser's dialog, because antd's dialog code may be what failed to load.
      <dialog ref={(dialog) => dialog?.showModal()} className={styles.failedPart} onClose={onClose}>
        {failureView}
        <Button onClick={onClose}>关闭</Button>
      </dialog>
    ) : (
      failureView
    )
  }
}
