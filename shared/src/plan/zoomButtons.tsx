import CompressOutlined from '@ant-design/icons/CompressOutlined'
import MinusOutlined from '@ant-design/icons/MinusOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import Button from 'antd/es/button'
import type { useZoom } from './useZoom'

/**
 * Zoom buttons of a floor plan. This is a function and no component, because `Space.Compact` styles its direct
 * children.
 */
export const renderZoomButtons = ({
  zoomBy,
  reset,
}: Pick<ReturnType<typeof useZoom>, 'zoomBy' | 'reset'>) => (
  <>
    <Button
      size="small"
      icon={<MinusOutlined />}
      aria-label="缩小"
      title="缩小（Ctrl + 滚轮）"
      onClick={() => zoomBy(0.8)}
    />
    <Button
      size="small"
      icon={<PlusOutlined />}
      aria-label="放大"
      title="放大（Ctrl + 滚轮）"
      onClick={() => zoomBy(1.25)}
    />
    <Button
      size="small"
      icon={<CompressOutlined />}
      aria-label="看全图"
      title="看全图"
      onClick={reset}
    />
  </>
)

/** @deprecated Use {@link renderZoomButtons}; kept for remotes that were built before. */
export const zoomButtons = renderZoomButtons
