CREATE TABLE "connection_refusal" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"project_id" integer,
	"device_id" uuid,
	"product_key" text NOT NULL,
	"device_name" text NOT NULL,
	"client_id" text NOT NULL,
	"address" text NOT NULL,
	"reason" text NOT NULL,
	"count" integer NOT NULL,
	"first_time" timestamp with time zone NOT NULL,
	"last_time" timestamp with time zone NOT NULL,
	CONSTRAINT "connection_refusal_kind_unique" UNIQUE("kind")
);
--> statement-breakpoint
CREATE INDEX "connection_refusal_last" ON "connection_refusal" USING btree ("last_time");
--> statement-breakpoint
CREATE INDEX "connection_refusal_device" ON "connection_refusal" USING btree ("device_id","last_time");
--> statement-breakpoint
CREATE INDEX "connection_refusal_product" ON "connection_refusal" USING btree ("product_key","last_time");
