CREATE TABLE "notification_delivery" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"channel_name" text NOT NULL,
	"target_key" text NOT NULL,
	"kind" text NOT NULL,
	"time" timestamp with time zone DEFAULT now() NOT NULL,
	"title" text NOT NULL,
	"count" integer NOT NULL,
	"attempt" integer NOT NULL,
	"is_success" boolean NOT NULL,
	"status_code" integer,
	"code" text NOT NULL,
	"answer" text NOT NULL,
	"duration_ms" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "notification_delivery_channel" ON "notification_delivery" USING btree ("channel_id","time");
--> statement-breakpoint
CREATE INDEX "notification_delivery_target" ON "notification_delivery" USING btree ("target_key","time");
--> statement-breakpoint
CREATE INDEX "notification_delivery_time" ON "notification_delivery" USING btree ("time");
