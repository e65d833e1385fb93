import type { IconVariant } from '../contract/product/iconName'
import { LazyIcon } from '../ui/laterIcon'
import { getTypePicture, type TypeLook } from './typeLooks'

type TypeIconProps = { look: TypeLook | undefined; variant?: IconVariant }

/**
 * Icon of a product type beside a device name; empty if the type has none. It is hidden from screen readers, because
 * the name follows.
 */
export function TypeIcon({ look, variant = 'on' }: TypeIconProps) {
  if (!look?.icon) return null
  const { src, isOwn } = getTypePicture(look, variant)
  const dimStyle = { opacity: variant === 'on' || isOwn ? undefined : 0.45 }
  return (
    <span
      aria-hidden
      style={{ marginInlineEnd: 6, ...dimStyle, ...(look.color && { color: look.color }) }}
    >
      {src ? (
        <img src={src} alt="" width={16} height={16} style={{ verticalAlign: -3 }} />
      ) : (
        <LazyIcon name={look.icon} />
      )}
    </span>
  )
}
