/** The product's own logo, used when the platform has none. */
export const ProductLogo = ({ size = 40 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 40 40" aria-hidden style={{ flex: 'none' }}>
    <rect width="40" height="40" rx="10" fill="var(--ant-color-primary)" />
    <path
      d="M10 31V15l10-6 10 6v16"
      fill="none"
      stroke="#fff"
      strokeWidth="2.4"
      strokeLinejoin="round"
      strokeLinecap="round"
    />
    <path
      d="M16 19h2.6M21.4 19H24M16 25h2.6M21.4 25H24"
      stroke="#fff"
      strokeWidth="2.8"
      strokeLinecap="round"
    />
    <circle cx="22.7" cy="19" r="2.4" fill="#ffc53d" />
  </svg>
)
