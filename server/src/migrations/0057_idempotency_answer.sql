ALTER TABLE "idempotency_key" RENAME COLUMN "task_id" TO "request_id";--> statement-breakpoint
ALTER TABLE "idempotency_key" RENAME COLUMN "key" TO "key_hash";--> statement-breakpoint
ALTER TABLE "idempotency_key" ADD COLUMN "state" text DEFAULT 'answered' NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency_key" ADD COLUMN "claim_id" uuid;--> statement-breakpoint
ALTER TABLE "idempotency_key" ADD COLUMN "lease_time" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "idempotency_key" ADD COLUMN "answer" text;--> statement-breakpoint
UPDATE "idempotency_key" SET "key_hash" = encode(sha256(convert_to("key_hash", 'UTF8')), 'hex'), "digest" = NULL;--> statement-breakpoint
CREATE INDEX "idempotency_key_time" ON "idempotency_key" USING btree ("create_time");
