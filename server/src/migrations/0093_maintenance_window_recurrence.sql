ALTER TABLE "maintenance_window" ADD COLUMN "weekdays" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "maintenance_window" ADD COLUMN "from_clock" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "maintenance_window" ADD COLUMN "to_clock" text DEFAULT '' NOT NULL;