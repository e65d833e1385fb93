import { Component, type ReactNode } from 'react'
import { asLoadFailure, isLoadFailure } from '../federation/failure'
import { LoadFailed } from '../federation/LoadFailed'
import { Button } from '../plain/Button'
import * as styles from './layout.module.css'

type PartBoundaryProps = {
  /** Of a dialog: why it does not come is said in one, too. Otherwise in the place of the part. */
  onClose?: () => void
  children: ReactNode
}

/** Around a part of the shell that is loaded when it is opened: what does not come leaves the rest standing. */
export class PartBoundary extends Component<PartBoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {}
  static getDerivedStateFromError = (error: unknown) => ({ error })
  static getDerivedStateFromProps = ({ children }: PartBoundaryProps) =>
    // Closed, it is asked for anew when it is opened.
    children ? null : { error: undefined }

  readonly again = async () => this.setState({ error: undefined })

  override render() {
    const { error } = this.state
    const { onClose, children } = this.props
    if (error === undefined) return children
    if (!isLoadFailure(error)) throw error
    const failed = <LoadFailed failure={asLoadFailure(error)} onRetry={this.again} />
    return onClose ? (
      // The browser's own: the code of antd's is what may be missing.
      <dialog ref={(dialog) => dialog?.showModal()} className={styles.failedPart} onClose={onClose}>
        {failed}
        <Button onClick={onClose}>关闭</Button>
      </dialog>
    ) : (
      failed
    )
  }
}
