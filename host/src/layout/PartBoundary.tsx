import { Modal } from 'antd'
import { Component, type ReactNode } from 'react'
import { asLoadFailure, isLoadFailure } from '../federation/failure'
import { LoadFailed } from '../federation/LoadFailed'

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
      <Modal open footer={null} onCancel={onClose}>
        {failed}
      </Modal>
    ) : (
      failed
    )
  }
}
