export const planMimeTypes = ['image/svg+xml', 'image/png', 'image/jpeg']
